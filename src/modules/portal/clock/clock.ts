import { integer } from '#kernel/fields.ts'

/** How far the clock of a demo world is put ahead of the real one; 0 puts it right again. */
export const clockMove = { days: integer({ required: 'Please enter whole days', min: 0, max: 3650 }) }
