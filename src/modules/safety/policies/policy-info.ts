import { defineDocumentTypeInfo } from '#modules/documents/types/type-info.ts'

export const policyInfo = defineDocumentTypeInfo({
  kind: 'safety_policy',
  name: 'Policy',
  noun: 'policy',
  nouns: 'policies',
  screens: { list: '/safety/policy', update: '/sfp/safety-policy/update' },
  nav: { title: 'Policies', icon: 'file', order: 5 },
  moved: [['/safety/policy/update/:slug', '/sfp/safety-policy/update/:slug']],
})
