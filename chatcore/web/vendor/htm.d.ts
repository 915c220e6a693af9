declare const htm: { bind(h: (...given: any[]) => any): (parts: TemplateStringsArray, ...values: any[]) => any };
export default htm;
