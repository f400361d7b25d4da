const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }

/** Splits stored rich text into plain-text strings, one for each paragraph, list item or line. */
export const splitRichText = (html: string): string[] =>
  html
    .split(/<\/(?:p|li|h\d|div|blockquote)>|<br\s*\/?>/i)
    .map((part) =>
      part
        .replace(/<[^<>]*>/g, '')
        .replace(/&(#39|\w+);/g, (whole, name: string) => NAMED[name] ?? whole)
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter(Boolean)
