/**
 * What kind of change a revision is, as its author marks it and its approval says: a material change is signed anew by everybody, a minor one (a spelling, a
 * telephone number) carries over what was signed.
 */
export type Change = 'material' | 'minor'

export const CHANGE_OPTIONS = [
  { value: 'material', label: 'Material: everybody signs again' },
  { value: 'minor', label: 'Minor: signatures are carried over' },
] as const

/** The same of what is signed paper by paper: its papers speak for themselves. */
const BY_PAPER_OPTIONS = [
  { value: 'material', label: 'Material: everybody signs again where its own words have changed' },
  { value: 'minor', label: 'Minor: only those sign again whom a changed paper is for' },
] as const

/** What a revision of a kind may be marked as. */
export const changeOptions = ({ byPaper }: { readonly byPaper?: true }) => (byPaper ? BY_PAPER_OPTIONS : CHANGE_OPTIONS)
