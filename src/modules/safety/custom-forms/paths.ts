import type { NavigationEntry } from '#kernel/packs.ts'
import { DOCUMENT_READER_ROLES } from '#modules/documents/rights.ts'

export const CUSTOM_FORM_LIST_PATH = '/safety/custom-form/list'
export const CUSTOM_FORMS_NAV: NavigationEntry = {
  path: CUSTOM_FORM_LIST_PATH,
  title: 'Custom forms',
  icon: 'checklist',
  order: 7,
  allow: DOCUMENT_READER_ROLES,
  area: 'Documents',
  pack: 'safety',
}
export const customFormPath = (id: number | string): string => `${CUSTOM_FORM_LIST_PATH}/${id}`
export const FORM_BUILDER_PATH = '/safety/custom-form/update'
export const formBuilderPath = (id: number | string): string => `${FORM_BUILDER_PATH}/${id}`
export const COMPLETE_FORM_PATH = '/safety/custom-form/fill'
export const completeFormPath = (id: number | string): string => `${COMPLETE_FORM_PATH}/${id}`
export const COMPLETED_FORM_PATH = '/safety/custom-form/answer'
export const completedFormPath = (id: number | string): string => `${COMPLETED_FORM_PATH}/${id}`
