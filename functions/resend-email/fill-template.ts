/** What a rendered welcome leaves open, because it differs from one member or deployment to the next. */
interface WelcomeValues {
  /** The member's address. */
  address: string;
  unsubscribeAddress: string;
}

/** The blanks by the name of their value, as the template carries them. */
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

/** Fills an HTML template. Values are escaped: whatever they hold stays text. */
export function fillHtml(template: string, values: WelcomeValues): string {
  return fillText(template, values, (value) => value.replace(/[&<>"']/g, (sign) => ENTITIES[sign]!));
}

/** Fills a plain-text template. */
export function fillText(
  template: string,
  values: WelcomeValues,
  write: (value: string) => string = (value) => value,
): string {
  // One pass, so that a value which looks like a blank is not filled in turn.
  return template.replace(/\{\{(\w+)\}\}/g, (blank, name: string) =>
    Object.hasOwn(blanks, name) ? write(values[name as keyof WelcomeValues]) : blank,
  );
}
