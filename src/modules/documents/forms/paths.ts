import type { DocumentTypeInfo } from '../types/type-info.ts'

/** Paths of the pages to view and change a type's form. */
export const formPaths = ({ screens: { list } }: Pick<DocumentTypeInfo, 'screens'>) => ({
  list: `${list}/form`,
  change: `${list}/form/change`,
  of: (id: number | string) => `${list}/form/version/${id}`,
})
