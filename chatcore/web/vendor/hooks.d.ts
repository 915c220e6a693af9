export function useState<T>(initial: T | (() => T)): [T, (value: T | ((before: T) => T)) => void];
export function useReducer<T, A>(reduce: (state: T, action: A) => T, initial: T): [T, (action: A) => void];
export function useEffect(run: () => void | (() => void), inputs?: readonly unknown[]): void;
export function useLayoutEffect(run: () => void | (() => void), inputs?: readonly unknown[]): void;
export function useMemo<T>(make: () => T, inputs: readonly unknown[]): T;
export function useRef<T>(initial: T): { current: T };
