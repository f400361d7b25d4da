import type { Navigation } from '#kernel/navigation.ts'
import { READERS } from '#modules/documents/rights.ts'

/** Paths of the custom form pages. */
export const CUSTOM_FORMS = '/safety/custom-form/list'
export const customFormsNav: Navigation = {
  path: CUSTOM_FORMS,
  title: 'Custom forms',
  icon: 'file',
  order: 12,
  allow: READERS,
  area: 'Safety',
  pack: 'safety',
}
export const formPath = (id: number | string): string => `${CUSTOM_FORMS}/${id}`
export const BUILD = '/safety/custom-form/update'
export const buildPath = (id: number | string): string => `${BUILD}/${id}`
export const FILL = '/safety/custom-form/fill'
export const fillPath = (id: number | string): string => `${FILL}/${id}`
export const ANSWER = '/safety/custom-form/answer'
export const answerPath = (id: number | string): string => `${ANSWER}/${id}`
