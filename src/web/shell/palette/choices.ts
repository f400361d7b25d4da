import { useMantineColorScheme } from '@mantine/core'
import { type Icon, IconBolt, IconBriefcase, IconKeyboard, IconLogout, IconMoon, IconSun } from '@tabler/icons-react'
import { useNavigate } from 'react-router'
import { isShown } from '#kernel/navigation.ts'
import { hasRole } from '#kernel/roles.ts'
import { useActor, useMe } from '../../api/me.ts'
import { actsHere } from '../../ui/acts.ts'
import { iconOf } from '../../ui/icons.ts'
import type { Page } from '../manifest/page.ts'
import { openDialog, workAs } from '../navigation/dialogs.ts'
import { leave } from '../navigation/leave.ts'
import { usePages } from '../pages/known-pages.ts'
import { isBlocked } from '../pages/packs.ts'
import { useClients, useFound } from './found.ts'
import { fitting, inPlaces } from './page-search.ts'
import { readRecent } from './recent.ts'

/** An item of the palette. */
export interface Choice {
  readonly key: string
  readonly label: string
  readonly detail?: string
  readonly Icon: Icon
  readonly run: () => void
}

const joinWords = (...parts: (string | null | undefined)[]) => parts.filter(Boolean).join(', ')

const CLIENTS = 4

/** True for a page that can be opened from anywhere, as its address has no parameters. */
const isPlain = (p: Page) => !p.path.includes(':') && p.path !== '*'

/** `/crm/quote/:id?` → `/crm/quote` */
const withoutRecord = (path: string) => path.replace(/\/:\w+\?/g, '')

/**
 * Returns the items that match the query: recent ones, actions and screens, known at once, then records in the order of
 * their kinds, so that no item moves when the server responds.
 */
export function useChoices(query: string, asked: string, mayWorkAs: boolean) {
  const navigate = useNavigate()
  const actor = useActor()
  const { setColorScheme } = useMantineColorScheme()
  const found = useFound(asked)
  const open = (path: string) => () => void navigate(path)
  const recent = fitting(
    query,
    readRecent(useMe()).map(
      ({ path, title, kind, icon }): Choice => ({
        key: path,
        label: title,
        detail: kind,
        Icon: iconOf(icon),
        run: open(path),
      }),
    ),
  )
  const records = found.groups.map(({ kind, rows }) => ({
    label: kind.label,
    // Recently opened records are already listed.
    choices: rows
      .filter((r) => !recent.some(({ key }) => key === kind.href(r, actor)))
      .map(
        (r): Choice => ({
          key: r['@id'],
          label: kind.title(r),
          detail: joinWords(...kind.detail(r)),
          Icon: iconOf(kind.icon),
          run: open(kind.href(r, actor)),
        }),
      ),
  }))
  const toEnter = useClients(asked, mayWorkAs && asked.length > 1, CLIENTS)
  const clients = toEnter.rows.map(
    (c): Choice => ({
      key: `client ${c.id}`,
      label: `Work as ${c.company}`,
      detail: joinWords(c.city, c.contactname),
      Icon: IconBriefcase,
      run: () => workAs({ id: c.id, company: c.company }),
    }),
  )
  const may = (p: Page) =>
    p.load && (p.nav ? isShown(actor, p.nav) : !p.open && hasRole(actor, p.allow ?? 'member') && !isBlocked(p, actor))
  const pages = usePages().filter(may)
  const screens = pages
    .filter((p) => !p.begins && (p.nav || isPlain(p)))
    .map((p): Choice => {
      const path = p.nav?.path ?? p.path
      return {
        key: path,
        label: p.nav?.title ?? p.title,
        detail: p.nav?.area ?? '',
        Icon: iconOf(p.nav?.icon ?? 'point'),
        run: open(path),
      }
    })
  const begun = pages.flatMap((p): Choice[] =>
    p.begins
      ? [{ key: p.begins, label: p.begins, Icon: iconOf(p.nav?.icon ?? 'plus'), run: open(withoutRecord(p.path)) }]
      : [],
  )
  const ofShell = [
    ...(mayWorkAs ? [{ label: 'Work as a client…', Icon: IconBriefcase, run: () => workAs() }] : []),
    { label: 'Keyboard shortcuts', Icon: IconKeyboard, run: () => openDialog({ name: 'shortcuts' }) },
    { label: 'Light mode', Icon: IconSun, run: () => setColorScheme('light') },
    { label: 'Dark mode', Icon: IconMoon, run: () => setColorScheme('dark') },
    { label: 'Sign out', Icon: IconLogout, run: () => leave(() => navigate('/')) },
  ].map((a): Choice => ({ key: a.label, ...a }))
  const local = inPlaces(query, {
    recent,
    here: fitting(
      query,
      actsHere().map(({ label, run }): Choice => ({ key: `here ${label}`, label, Icon: IconBolt, run })),
    ),
    actions: fitting(query, [...begun, ...ofShell]),
    screens: fitting(query, screens),
  })
  const groups = [
    ...local,
    ...records,
    // Last, and only once those above have loaded.
    { label: 'Clients', choices: found.searching ? [] : clients },
  ].filter((g) => g.choices.length > 0)
  return { groups, searching: found.searching || toEnter.busy }
}
