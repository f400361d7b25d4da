import { VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { figure } from '#kernel/text.ts'
import type { Params } from '#web/api/client.ts'
import { useMe } from '#web/api/me.ts'
import { countsOptions, leadsOptions } from '../contacts/data.web.ts'
import {
  type ListState,
  listPath,
  ownerParams,
  PAGE_SIZE,
  TAB_WORDS,
  TABS,
  type Tab,
  writeState,
} from '../contacts/list-state.web.ts'
import css from './leads.module.css'

interface Props {
  readonly state: ListState
  /** What the list is asked. */
  readonly params: Params
}

/** The categories with their counts, which follow the owner that is chosen. */
export function ListTabs({ state, params }: Props) {
  const me = useMe()
  const counts = useQuery(countsOptions(ownerParams(state.owner, me.id))).data
  const found = useQuery({
    ...leadsOptions({ ...params, page: state.page, itemsPerPage: PAGE_SIZE }),
    enabled: state.tab === 'SEARCH',
  }).data?.['hydra:totalItems']
  const here = useRef<HTMLAnchorElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is the occasion
  useEffect(() => {
    here.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [state.tab])
  const tabs: readonly Tab[] = state.tab === 'SEARCH' ? [...TABS, 'SEARCH'] : TABS
  return (
    <nav aria-label="Categories" className={css.tabs}>
      <ul>
        {tabs.map((tab) => (
          <li key={tab}>
            <Link
              ref={tab === state.tab ? here : null}
              className={css.tab}
              to={listPath(writeState(tab === 'SEARCH' ? state : { ...state, tab, q: '', page: 1 }) || 'category=ALL')}
              preventScrollReset
              aria-current={tab === state.tab ? 'page' : undefined}
              title={TAB_WORDS[tab]}
            >
              {tab}
              <Count n={tab === 'SEARCH' ? found : counts?.[tab]} />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

const Count = ({ n }: { readonly n: number | undefined }) => (
  <span className={css.count}>
    {n === undefined ? '…' : figure(n)}
    <VisuallyHidden> leads</VisuallyHidden>
  </span>
)
