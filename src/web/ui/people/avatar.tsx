import { type Hue, hues } from '../../theme/meaning.ts'
import css from './avatar.module.css'

/** The first letters of somebody's first and last name. */
export function initials(name: string): string {
  const words = name.split(/\s+/).filter(Boolean)
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words
  return ends
    .map((word) => String.fromCodePoint(word?.codePointAt(0) ?? 0x20).trim())
    .join('')
    .toUpperCase()
}

/** The same person has the same colour everywhere. */
const hueOf = (name: string): Hue => {
  let sum = 0
  for (const letter of name) sum = (Math.imul(sum, 31) + (letter.codePointAt(0) ?? 0)) >>> 0
  return hues[sum % hues.length] as Hue
}

/** Somebody's initials in their colour; the name itself stands beside it. */
export const Avatar = ({ name }: { readonly name: string }) => (
  <span className={css.avatar} data-hue={hueOf(name)} data-initials={initials(name)} aria-hidden />
)

/** Somebody in a list: known by their colour before they are read. */
export const Person = ({ name }: { readonly name: string }) => (
  <span className={css.person}>
    <Avatar name={name} />
    <span className={css.name}>{name}</span>
  </span>
)
