type IconNode = [name: string, attributes: Record<string, string>];
declare const icons: Record<string, IconNode[]>;
export default icons;
