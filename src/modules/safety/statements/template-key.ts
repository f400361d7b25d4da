import { text } from '#kernel/fields.ts'

/** Stable key of a system template, independent of its text; null for records that users added. */
export const templateKey = text({ readonly: true, visible: 'nobody' })
