/** An object whose observers are called once after any number of changes in one go. */
export class Observable {
  /** @type {Set<() => void>} */ #observers = new Set();
  #isPending = false;
  /** Counts the changes, for observers that come later than they looked. */
  version = 0;

  /** Call *observer* after changes; return a function that ends this. @param {() => void} observer */
  observe(observer) {
    this.#observers.add(observer);
    return () => this.#observers.delete(observer);
  }

  changed() {
    this.version += 1;
    if (this.#isPending) return;
    this.#isPending = true;
    queueMicrotask(() => {
      this.#isPending = false;
      for (const observer of [...this.#observers]) observer();
    });
  }

  /** Change fields. @param {object} fields */
  set(fields) {
    Object.assign(this, fields);
    this.changed();
  }
}
