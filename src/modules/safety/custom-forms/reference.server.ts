import type { Reference } from '#server/engine/world.ts'
import { customForm } from './custom-form.ts'
import { SAMPLES } from './samples.ts'

/** The provider's forms, published: to copy, and to be changed there. Those that are there are left as people have made them. */
export const customFormReference: Reference = {
  name: 'custom forms',
  edition: 1,
  load: async (c) => {
    const there = new Set((await c.find(customForm, {})).map((form) => form.templateKey))
    const unit = c.withoutPermissionCheck('the portal brings its own forms')
    for (const { key, title, notes, schema } of SAMPLES) {
      if (there.has(key)) continue
      const made = await (await unit.create(customForm, { title, notes, schema, templateKey: key })).saved()
      await unit.act(customForm, 'publish', made.id, {})
    }
  },
}
