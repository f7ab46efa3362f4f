import { escapeHtml } from './escape-html.ts';

/** The values that fill a rendered message: they differ between members and deployments. */
interface TemplateValues {
  /** The member's email address. */
  address: string;
  unsubscribeAddress: string;
  /** The URL of the site, without a slash at its end. */
  siteUrl: string;
  /** The URL where the member unsubscribes. Only an announcement shows it. */
  leaveUrl?: string;
}

/** The placeholders in the template, by the name of their value. */
export const blanks = {
  address: '{{address}}',
  unsubscribeAddress: '{{unsubscribeAddress}}',
  siteUrl: '{{siteUrl}}',
  leaveUrl: '{{leaveUrl}}',
} as const satisfies Record<keyof TemplateValues, string>;

/** Fills an HTML template. Values are escaped, so they stay text. */
export function fillHtml(template: string, values: TemplateValues): string {
  return fillText(template, values, escapeHtml);
}

/** Fills a plain-text template. */
export function fillText(
  template: string,
  values: TemplateValues,
  write: (value: string) => string = (value) => value,
): string {
  // In one pass, so that a value that looks like a placeholder is not replaced in turn.
  return template.replace(/\{\{(\w+)\}\}/g, (blank, name: string) =>
    Object.hasOwn(values, name) ? write(values[name as keyof TemplateValues]!) : blank,
  );
}
