/** The values that a rendered welcome leaves open: they differ between members and deployments. */
interface WelcomeValues {
  /** The member's e-mail address. */
  address: string;
  unsubscribeAddress: string;
}

/** The placeholders in the template, by the name of their value. */
export const blanks = {
  address: '{{address}}',
  unsubscribeAddress: '{{unsubscribeAddress}}',
} as const satisfies Record<keyof WelcomeValues, string>;

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;',
};

/** Fills an HTML template. Values are escaped, so they stay text. */
export function fillHtml(template: string, values: WelcomeValues): string {
  return fillText(template, values, (value) => value.replace(/[&<>"']/g, (sign) => ENTITIES[sign]!));
}

/** Fills a plain-text template. */
export function fillText(
  template: string,
  values: WelcomeValues,
  write: (value: string) => string = (value) => value,
): string {
  // In one pass, so that a value that looks like a placeholder is not replaced in turn.
  return template.replace(/\{\{(\w+)\}\}/g, (blank, name: string) =>
    Object.hasOwn(blanks, name) ? write(values[name as keyof WelcomeValues]) : blank,
  );
}
