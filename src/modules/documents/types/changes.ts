/**
 * Change category of a revision, set by author and approver: after a material change everyone signs again; a minor
 * change (spelling, phone number) carries signatures forward.
 */
export type ChangeCategory = 'material' | 'minor'

export const CHANGE_CATEGORIES = [
  { value: 'material', label: 'Material: everyone signs again' },
  { value: 'minor', label: 'Minor: signatures are carried forward' },
] as const

/** Options of the change category for a bundle that is signed document by document. */
const BY_PAPER_OPTIONS = [
  { value: 'material', label: 'Material: everyone signs again if its own text has changed' },
  { value: 'minor', label: 'Minor: only readers of changed documents sign again' },
] as const

export const changeCategoriesOf = ({ byPaper }: { readonly byPaper?: true }) =>
  byPaper ? BY_PAPER_OPTIONS : CHANGE_CATEGORIES
