import { HUES, type Hue } from '../../theme/meaning.ts'
import css from './avatar.module.css'

/** Returns the initials of a person's first and last name. */
export function getInitials(name: string): string {
  const words = name.split(/\s+/).filter(Boolean)
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words
  return ends
    .map((word) => String.fromCodePoint(word?.codePointAt(0) ?? 0x20).trim())
    .join('')
    .toUpperCase()
}

/** Returns the colour for a name, so that a person has the same colour everywhere. */
const hueOf = (name: string): Hue => {
  let sum = 0
  for (const letter of name) sum = (Math.imul(sum, 31) + (letter.codePointAt(0) ?? 0)) >>> 0
  return HUES[sum % HUES.length] as Hue
}

/** A person's initials in their colour. The name itself is shown next to the avatar. */
export const Avatar = ({ name }: { readonly name: string }) => (
  <span className={css.avatar} data-hue={hueOf(name)} data-initials={getInitials(name)} aria-hidden />
)

export const PersonWithAvatar = ({ name }: { readonly name: string }) => (
  <span className={css.person}>
    <Avatar name={name} />
    <span className={css.name}>{name}</span>
  </span>
)
