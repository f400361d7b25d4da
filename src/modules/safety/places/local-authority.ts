import { flag, integer, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'

/** The council of a district, and the area that it is in: where something has happened is said by it. */
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
    /** The code of the Office for National Statistics, and its digits as a number. */
    gssCode: text({ filter: true }),
    numericCode: integer({ filter: true, order: true }),
    type: text({ filter: true }),
    region: text({ filter: true }),
    areaId: integer({ filter: true, order: true, label: 'Number of the area' }),
    area: text({ filter: 'partial', order: true }),
    country: text({ filter: true, order: true }),
    riddor: flag({ filter: true, label: 'RIDDOR applies' }),
    retired: flag({ filter: true }),
  },
  allow: { read: 'member' },
})
