/** Breaks up URLs in user text for e-mails, so that mail clients don't turn them into links. */
export const preventAutolinking = (text: string): string =>
  text
    .replace(/\b(?:https?|ftp|mailto|tel|javascript):[/\\]*/gi, '')
    .replace(/[/\\]{2,}/g, ' ')
    .replace(/@(?=\S)/g, '@ ')
    .replace(/\.(?=\p{L})/gu, '. ')
