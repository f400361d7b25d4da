import { useMantineColorScheme } from '@mantine/core'
import { type Icon, IconBolt, IconBriefcase, IconKeyboard, IconLogout, IconMoon, IconSun } from '@tabler/icons-react'
import { useNavigate } from 'react-router'
import { isShown } from '#kernel/navigation.ts'
import { hasRole } from '#kernel/roles.ts'
import { useActor, useMe } from '../../api/me.ts'
import { currentScreenActions } from '../../ui/acts.ts'
import { iconOf } from '../../ui/icons.ts'
import type { Page } from '../manifest/page.ts'
import { openDialog, openWorkAsDialog } from '../navigation/dialogs.ts'
import { signOutWithWarning } from '../navigation/leave.ts'
import { usePages } from '../pages/known-pages.ts'
import { isPageBlocked } from '../pages/packs.ts'
import { useClientSearch, useRecordSearch } from './found.ts'
import { localPaletteGroups, matchingItems } from './page-search.ts'
import { readRecentRecords } from './recent.ts'

/** An item of the palette. */
export interface PaletteItem {
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
export function usePaletteItems(query: string, asked: string, mayWorkAs: boolean) {
  const navigate = useNavigate()
  const actor = useActor()
  const { setColorScheme } = useMantineColorScheme()
  const found = useRecordSearch(asked)
  const open = (path: string) => () => void navigate(path)
  const recent = matchingItems(
    query,
    readRecentRecords(useMe()).map(
      ({ path, title, kind, icon }): PaletteItem => ({
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
        (r): PaletteItem => ({
          key: r['@id'],
          label: kind.title(r),
          detail: joinWords(...kind.detail(r)),
          Icon: iconOf(kind.icon),
          run: open(kind.href(r, actor)),
        }),
      ),
  }))
  const toEnter = useClientSearch(asked, mayWorkAs && asked.length > 1, CLIENTS)
  const clients = toEnter.rows.map(
    (c): PaletteItem => ({
      key: `client ${c.id}`,
      label: `Work as ${c.company}`,
      detail: joinWords(c.city, c.contactname),
      Icon: IconBriefcase,
      run: () => openWorkAsDialog({ id: c.id, company: c.company }),
    }),
  )
  const may = (p: Page) =>
    p.load &&
    (p.nav ? isShown(actor, p.nav) : !p.open && hasRole(actor, p.allow ?? 'member') && !isPageBlocked(p, actor))
  const pages = usePages().filter(may)
  const screens = pages
    .filter((p) => !p.begins && (p.nav || isPlain(p)))
    .map((p): PaletteItem => {
      const path = p.nav?.path ?? p.path
      return {
        key: path,
        label: p.nav?.title ?? p.title,
        detail: p.nav?.area ?? '',
        Icon: iconOf(p.nav?.icon ?? 'point'),
        run: open(path),
      }
    })
  const begun = pages.flatMap((p): PaletteItem[] =>
    p.begins
      ? [{ key: p.begins, label: p.begins, Icon: iconOf(p.nav?.icon ?? 'plus'), run: open(withoutRecord(p.path)) }]
      : [],
  )
  const ofShell = [
    ...(mayWorkAs ? [{ label: 'Work as a client…', Icon: IconBriefcase, run: () => openWorkAsDialog() }] : []),
    { label: 'Keyboard shortcuts', Icon: IconKeyboard, run: () => openDialog({ name: 'shortcuts' }) },
    { label: 'Light mode', Icon: IconSun, run: () => setColorScheme('light') },
    { label: 'Dark mode', Icon: IconMoon, run: () => setColorScheme('dark') },
    { label: 'Sign out', Icon: IconLogout, run: () => signOutWithWarning(() => navigate('/')) },
  ].map((a): PaletteItem => ({ key: a.label, ...a }))
  const local = localPaletteGroups(query, {
    recent,
    here: matchingItems(
      query,
      currentScreenActions().map(
        ({ label, run }): PaletteItem => ({ key: `here ${label}`, label, Icon: IconBolt, run }),
      ),
    ),
    actions: matchingItems(query, [...begun, ...ofShell]),
    screens: matchingItems(query, screens),
  })
  const groups = [
    ...local,
    ...records,
    // Last, and only once those above have loaded.
    { label: 'Clients', choices: found.searching ? [] : clients },
  ].filter((g) => g.choices.length > 0)
  return { groups, searching: found.searching || toEnter.busy }
}
