export function h(type: any, props?: any, ...children: any[]): any;
export function render(node: any, place: Element): void;
export const Fragment: any;
