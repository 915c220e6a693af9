/** An object whose observers are called once after any number of changes in one go. */
export class Observable {
  /** @type {Set<() => void>} */
  #observers = new Set();
  #isPending = false;

  /** Call *observer* after changes; return a function that ends this. @param {() => void} observer */
  observe(observer) {
    this.#observers.add(observer);
    return () => this.#observers.delete(observer);
  }

  changed() {
    if (this.#isPending) return;
    this.#isPending = true;
    queueMicrotask(() => {
      this.#isPending = false;
      for (const observer of [...this.#observers]) observer();
    });
  }
}
