// A thing that is null at first may be anything later.
export function useState(initial: null): [any, (value: any) => void];
export function useState<T>(initial: T | (() => T)): [T, (value: T | ((before: T) => T)) => void];
export function useRef(initial: null): { current: any };
export function useRef<T>(initial: T): { current: T };
export function useReducer<T, A>(reduce: (state: T, action: A) => T, initial: T): [T, (action: A) => void];
export function useEffect(run: () => void | (() => void), inputs?: readonly unknown[]): void;
export function useLayoutEffect(run: () => void | (() => void), inputs?: readonly unknown[]): void;
export function useErrorBoundary(note?: (error: any) => void): [any, () => void];
export function useMemo<T>(make: () => T, inputs: readonly unknown[]): T;
