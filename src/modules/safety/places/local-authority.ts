import { flag, integer, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'

/** District council and its area, used to record where an incident happened. */
export const localAuthority = resource({
  type: 'LocalAuthority',
  service: 'safety',
  path: 'local_authorities',
  table: 'local_authority',
  tenant: 'shared',
  unpaginated: true,
  title: 'name',
  order: ['country', 'areaId', 'name'],
  fields: {
    name: text({ filter: 'partial', order: true }),
    officialName: text(),
    /** Code assigned by the Office for National Statistics. `numericCode` contains the code's digits as a number. */
    gssCode: text({ filter: true }),
    numericCode: integer({ filter: true, order: true }),
    type: text({ filter: true }),
    region: text({ filter: true }),
    areaId: integer({ filter: true, order: true, label: 'Area number' }),
    area: text({ filter: 'partial', order: true }),
    country: text({ filter: true, order: true }),
    riddor: flag({ filter: true, label: 'RIDDOR applies' }),
    retired: flag({ filter: true }),
  },
  allow: { read: 'member' },
})
