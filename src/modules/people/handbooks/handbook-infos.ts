import { defineDocumentTypeInfo } from '#modules/documents/types/type-info.ts'

export const handbookInfo = defineDocumentTypeInfo({
  kind: 'handbook',
  name: 'Handbook',
  noun: 'handbook',
  nouns: 'handbooks',
  pack: 'employees',
  screens: { list: '/ffe/handbook', update: '/ffe/handbook/update' },
  nav: { title: 'Handbook', icon: 'book', order: 30, area: 'People' },
})

export const managementHandbookInfo = defineDocumentTypeInfo({
  kind: 'management_handbook',
  name: 'Management handbook',
  noun: 'management handbook',
  nouns: 'management handbooks',
  pack: 'employees',
  screens: { list: '/ffe/management-handbook', update: '/ffe/management-handbook/update' },
  nav: {
    title: 'Management handbook',
    icon: 'book',
    order: 31,
    area: 'People',
    tabOf: handbookInfo.screens.list,
  },
})
