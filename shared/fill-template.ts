import { escapeHtml } from './escape-html.ts';

/** The blanks in a rendered message, by the name of their value, which differs between members or deployments. */
export const blanks = {
  address: '{{address}}',
  unsubscribeAddress: '{{unsubscribeAddress}}',
  /** The URL of the site, without a slash at its end. */
  siteUrl: '{{siteUrl}}',
  /** The URL where the member unsubscribes. Only an announcement shows it. */
  unsubscribeUrl: '{{unsubscribeUrl}}',
} as const;

type TemplateValues = Record<Exclude<keyof typeof blanks, 'unsubscribeUrl'>, string> & {
  unsubscribeUrl?: string;
};

/** Fills an HTML template. Values are escaped, so they stay text. */
export function fillHtml(template: string, values: TemplateValues): string {
  return fillText(template, values, escapeHtml);
}

/** Fills a plain-text template. */
export function fillText(template: string, values: TemplateValues, write = (value: string) => value) {
  // In one pass, so that a value that looks like a blank is not replaced in turn.
  return template.replace(/\{\{(\w+)\}\}/g, (blank, name: string) =>
    Object.hasOwn(values, name) ? write(values[name as keyof TemplateValues]!) : blank,
  );
}
