import { defineDocumentTypeInfo } from '#modules/documents/types/type-info.ts'

export const coshhInfo = defineDocumentTypeInfo({
  kind: 'coshh_assessment',
  name: 'COSHH assessment',
  noun: 'COSHH assessment',
  screens: { list: '/safety/coshh-assessment', update: '/sfp/coshh-assessment/update' },
  nav: { title: 'COSHH assessments', icon: 'flask', order: 3 },
  moved: [['/safety/coshh-assessment/update/:slug', '/sfp/coshh-assessment/update/:slug']],
})
