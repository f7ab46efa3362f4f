import type { Fault } from './fault.ts';

/** Letters of UTF-8 that some program took for Latin-1, such as Ã¼ and â€™. */
const garbled = /[ÂÃ][\u0080-\u00BF]|â€/;

/** Reads a file as UTF-8, which is what the build does with whatever the file holds. */
export function readBytes(bytes: Buffer): { code: string; faults: Fault[] } {
  const code = bytes.toString('utf8');
  const report = (found: number, problem: string) => ({
    code,
    faults: [
      { line: code.slice(0, found).split('\n').length, message: `${problem} Save the file as UTF-8.` },
    ],
  });
  if (code.includes('\0')) return report(0, 'The file is saved as UTF-16, which the site cannot read.');
  const lost = code.indexOf('\uFFFD');
  if (lost >= 0) {
    return report(lost, 'A letter of this line is lost: visitors would see �. Type it again.');
  }
  const [letters] = garbled.exec(code) ?? [];
  if (letters) {
    return report(code.indexOf(letters), `Visitors would see ${letters} for one letter. Type it again.`);
  }
  return { code, faults: [] };
}
