import { formatIsoAsUkDate } from '#web/dates/uk-dates.ts'
import { searchGroup } from '#web/shell/manifest/search.ts'
import { incidentFacts } from './incident-facts.ts'
import { incidentsNav } from './nav.ts'
import { incidentPath } from './reports/paths.ts'

const MAX_TITLE_CHARACTERS = 80

export default [
  searchGroup({
    label: 'Incidents',
    icon: incidentsNav.book.icon,
    resource: incidentFacts,
    params: () => ({ retired: false }),
    title: ({ number, description }) => `${number || 'Draft'} ${description.slice(0, MAX_TITLE_CHARACTERS)}`,
    detail: ({ datetime, state }) => [
      formatIsoAsUkDate(datetime),
      incidentFacts.fields.state.options?.find(({ value }) => value === state)?.label,
    ],
    href: ({ id }) => incidentPath(id),
  }),
]
