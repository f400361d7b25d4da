import { defineDocumentTypeInfo } from '#modules/documents/types/type-info.ts'

export const toolboxTalkInfo = defineDocumentTypeInfo({
  kind: 'toolbox_talk',
  name: 'Toolbox talk',
  noun: 'toolbox talk',
  screens: { list: '/safety/toolbox-talks', update: '/safety/toolbox-talks/update' },
  nav: { title: 'Toolbox talks', icon: 'users', order: 6 },
})

export const PRESENTED_TALKS_PATH = '/safety/toolbox-talks/presented'
