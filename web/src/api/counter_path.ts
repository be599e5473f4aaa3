// Counter paths as the server writes and reads them: object, "(instance)" where there are instances, one separator, and
// the rest is the counter's name. Inside the parentheses %XX stands for a byte; needed only for a ")" before a
// separator, a literal "*", a "%" that two hexadecimal digits follow, and control characters. A literal "*" in a
// counter is %2A. The whole grammar: server/query/counter_path.hpp.

export interface CounterPath {
  object: string;
  instance: string | null;
  counter: string;
}

const byteText = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;

export const escapeInstance = (name: string): string =>
  name.replace(/\)(?=[/\\])|\*|%(?=[0-9a-fA-F]{2})|[\u0000-\u001f\u007f]/g, byteText);

const escapeCounter = (name: string): string => name.replace(/%(?=(?:25)*2A)/g, '%25').replace(/\*/g, '%2A');

export function formatPath(path: CounterPath): string {
  const instance = path.instance === null ? '' : `(${escapeInstance(path.instance)})`;
  return `${path.object}${instance}/${escapeCounter(path.counter)}`;
}

/** Every counter of one instance, or of the object that has none. */
export const allCountersOf = (object: string, instance: string | null): string =>
  `${object}${instance === null ? '' : `(${escapeInstance(instance)})`}/*`;

function unescapeInstance(text: string): string {
  return text.replace(/(?:%[0-9a-fA-F]{2})+/g, (run) => {
    const bytes = Uint8Array.from(run.slice(1).split('%'), (hex) => parseInt(hex, 16));
    return new TextDecoder().decode(bytes);
  });
}

const unescapeCounter = (text: string): string =>
  text.replace(/%((?:25)*)2A/g, (whole, inner: string) => (inner === '' ? '*' : `%${whole.slice(3)}`));

/** Takes a path apart; undefined when it is none. A host in front is passed over. */
export function parsePath(text: string): CounterPath | undefined {
  const match = /^(?:[/\\]{2}[^/\\]+[/\\]|[/\\])?([^()/\\]+)(?:\(([^]*?)\)(?=[/\\]))?[/\\]([^]+)$/.exec(text);
  if (!match) return undefined;
  const instance = match[2] === undefined ? null : unescapeInstance(match[2]);
  return { object: match[1]!, instance, counter: unescapeCounter(match[3]!) };
}
