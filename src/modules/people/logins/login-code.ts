/** Letters and digits that nobody confuses with each other. */
const ALPHABET = 'ABCDEFGHJKMNPQRTUVWXYZ2346789'
const CODE_LENGTH = 8

/** Returns the code of a letter, such as `K7QM-4XRT`. `pick` returns a random integer below its argument. */
export function createLoginCode(pick: (below: number) => number): string {
  const signs = Array.from({ length: CODE_LENGTH }, () => ALPHABET[pick(ALPHABET.length)]).join('')
  return `${signs.slice(0, CODE_LENGTH / 2)}-${signs.slice(CODE_LENGTH / 2)}`
}

/** Returns a typed code in the form that is hashed: in capitals, without spaces and hyphens. */
export const normaliseLoginCode = (typed: string): string => typed.toUpperCase().replace(/[^A-Z0-9]/g, '')
