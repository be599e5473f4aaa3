// The catalogue in use. The browser's languages choose among those that exist.
import { en, type Catalogue } from './en';

const CATALOGUES: Record<string, Catalogue> = { en };

function chosen(): [string, Catalogue] {
  for (const language of typeof navigator === 'undefined' ? [] : navigator.languages) {
    for (const tag of [language, language.split('-')[0]!]) {
      const catalogue = CATALOGUES[tag];
      if (catalogue) return [tag, catalogue];
    }
  }
  return ['en', en];
}

export const [language, text] = chosen();
