import type { DocumentTypeInfo } from '../types/type-info.ts'

/** Where the form of a kind is looked at and changed. */
export const formPaths = ({ screens: { list } }: Pick<DocumentTypeInfo, 'screens'>) => ({
  list: `${list}/form`,
  change: `${list}/form/change`,
  of: (id: number | string) => `${list}/form/version/${id}`,
})
