import { VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { formatInteger } from '#kernel/text.ts'
import type { QueryParams } from '#web/api/client.ts'
import { useMe } from '#web/api/me.ts'
import { leadCategoryStyle } from '../contacts/contact-parts.web.tsx'
import { leadCountQueryOptions, leadCountsQueryOptions } from '../contacts/data.web.ts'
import {
  LEAD_LIST_TABS,
  type LeadListState,
  type LeadListTab,
  leadListPath,
  leadOwnerParams,
  serialiseLeadListState,
} from '../contacts/list-state.web.ts'
import css from './leads.module.css'

/** Labels of tabs that are not categories. */
const OTHERS: Readonly<Record<string, string>> = { ALL: 'All', IR35: 'IR35', SEARCH: 'Results' }

interface Props {
  readonly state: LeadListState
  /** API parameters of the current list. */
  readonly params: QueryParams
}

/** Tabs for the categories, with the numbers of leads that belong to the selected owner. */
export function LeadListTabs({ state, params }: Props) {
  const me = useMe()
  const counts = useQuery(leadCountsQueryOptions(leadOwnerParams(state.owner, me.id))).data
  const everywhere = { ...params, 'lastResult.category': undefined, ir35: undefined }
  const found = useQuery({ ...leadCountQueryOptions(everywhere), enabled: state.q !== '' }).data
  const here = useRef<HTMLAnchorElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is the occasion
  useEffect(() => {
    here.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [state.tab])
  const tabs: readonly LeadListTab[] = state.q === '' ? LEAD_LIST_TABS : [...LEAD_LIST_TABS, 'SEARCH']
  return (
    <nav aria-label="Categories" className={css.tabs}>
      <ul>
        {tabs.map((tab) => (
          <li key={tab}>
            <Link
              ref={tab === state.tab ? here : null}
              className={css.tab}
              to={leadListPath(
                serialiseLeadListState({ ...state, tab, q: tab === 'SEARCH' ? state.q : '', page: 1 }) ||
                  'category=ALL',
              )}
              preventScrollReset
              aria-current={tab === state.tab ? 'page' : undefined}
            >
              <Words tab={tab} />
              <Count n={tab === 'SEARCH' ? found : counts?.[tab]} />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Label of a category tab, followed by the category's code unless the label begins with the code. */
function Words({ tab }: { readonly tab: LeadListTab }) {
  const look = leadCategoryStyle(tab)
  if (!look) return OTHERS[tab]
  const Picture = look.icon
  return (
    <>
      <Picture size={16} stroke={1.75} color={`var(--hue-${look.hue})`} className={css.picture} aria-hidden />
      {look.words}
      {!look.words.toUpperCase().startsWith(tab.slice(0, 4)) && <abbr className={css.code}>{tab}</abbr>}
    </>
  )
}

const Count = ({ n }: { readonly n: number | undefined }) => (
  <span className={css.count}>
    {n === undefined ? '…' : formatInteger(n)}
    <VisuallyHidden> leads</VisuallyHidden>
  </span>
)
