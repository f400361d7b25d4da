import { text } from '#kernel/fields.ts'

/** What a system template is known by, whatever its words become; null for what people have added. */
export const templateKey = text({ readonly: true, visible: 'nobody' })
