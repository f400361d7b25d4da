/** Words of somebody's own as a letter says them: addresses that a mail program would make links of are pulled apart. */
export const wordsInLetter = (text: string): string =>
  text
    .replace(/\b(?:https?|ftp|mailto|tel|javascript):[/\\]*/gi, '')
    .replace(/[/\\]{2,}/g, ' ')
    .replace(/@(?=\S)/g, '@ ')
    .replace(/\.(?=\p{L})/gu, '. ')
