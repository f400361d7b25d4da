/**
 * What kind of change a revision is, as its author marks it and its approval says: a material change is signed anew by everybody, a minor one (a spelling, a
 * telephone number) carries over what was signed.
 */
export type Change = 'material' | 'minor'

export const CHANGE_OPTIONS = [
  { value: 'material', label: 'Material: everybody signs again' },
  { value: 'minor', label: 'Minor: signatures are carried over' },
] as const
