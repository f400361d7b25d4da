import type { KindFace } from '../types/type-info.ts'

/** Where the form of a kind is looked at and changed. */
export const formPaths = ({ screens: { list } }: Pick<KindFace, 'screens'>) => ({
  list: `${list}/form`,
  change: `${list}/form/change`,
  of: (id: number | string) => `${list}/form/version/${id}`,
})
