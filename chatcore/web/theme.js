/** The colours of the last visit, before anything is painted. */
document.documentElement.style.colorScheme = localStorage.getItem("colors") ?? "";
