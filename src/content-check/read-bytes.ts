import type { Fault } from './fault.ts';

/** UTF-8 letters that a program read as Latin-1, such as Ã¼ and â€™. */
const garbled = /[ÂÃ][\u0080-\u00BF]|â€/;

/** The markers that git writes where two people changed the same lines. */
const conflict = /^(<{7}|>{7}) /m;

/** Reads a file as UTF-8, as the build does whatever its encoding is. */
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
  const { index } = conflict.exec(code) ?? {};
  if (index !== undefined) {
    const message =
      'Two people changed this place. Keep one of the two versions, and remove the lines that begin with <<<<<<<, ======= and >>>>>>>.';
    return { code, faults: [{ line: code.slice(0, index).split('\n').length, message }] };
  }
  return { code, faults: [] };
}
