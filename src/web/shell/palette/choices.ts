import { useMantineColorScheme } from '@mantine/core'
import { type Icon, IconBriefcase, IconKeyboard, IconLogout, IconMoon, IconSun } from '@tabler/icons-react'
import { useNavigate } from 'react-router'
import { isShown } from '#kernel/navigation.ts'
import { holds } from '#kernel/roles.ts'
import { useActor } from '../../api/me.ts'
import { signOut } from '../../api/signing.ts'
import { iconOf } from '../../ui/icons.ts'
import type { Page } from '../faces/page.ts'
import { openDialog, workAs } from '../navigation/dialogs.ts'
import { usePages } from '../pages/known-pages.ts'
import { isBlocked } from '../pages/packs.ts'
import { useClients, useFound } from './found.ts'
import { allWords } from './page-search.ts'

/** Something that the palette offers. */
export interface Choice {
  readonly key: string
  readonly label: string
  readonly detail?: string
  readonly Icon: Icon
  readonly run: () => void
}

const joinWords = (...parts: (string | null | undefined)[]) => parts.filter(Boolean).join(', ')

const CLIENTS = 4

/** A page that one can go to from anywhere: it needs nothing in its address. */
const isPlain = (p: Page) => !p.open && !p.path.includes(':') && p.path !== '*'

/**
 * What fits the query: screens and actions, which are known at once, then records in the order of their kinds. So nothing that is
 * shown moves when the server answers.
 */
export function useChoices(query: string, asked: string, mayWorkAs: boolean) {
  const navigate = useNavigate()
  const actor = useActor()
  const { setColorScheme } = useMantineColorScheme()
  const found = useFound(asked)
  const records = found.groups.map(({ kind, rows }) => ({
    label: kind.label,
    choices: rows.map(
      (r): Choice => ({
        key: r['@id'],
        label: kind.title(r),
        detail: joinWords(...kind.detail(r)),
        Icon: iconOf(kind.icon),
        run: () => void navigate(kind.href(r)),
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
  const screens = usePages()
    .filter(
      (p) =>
        p.load &&
        (p.nav ? isShown(actor, p.nav) : isPlain(p) && holds(actor, p.allow ?? 'member') && !isBlocked(p, actor)),
    )
    .map((p): Choice => {
      const path = p.nav?.path ?? p.path
      return {
        key: path,
        label: p.nav?.title ?? p.title,
        detail: p.nav?.area ?? '',
        Icon: iconOf(p.nav?.icon ?? 'point'),
        run: () => void navigate(path),
      }
    })
    .filter((c) => allWords(query, `${c.label} ${c.detail}`))
  const actions = [
    ...(mayWorkAs ? [{ label: 'Work as a client…', Icon: IconBriefcase, run: () => workAs() }] : []),
    { label: 'Keyboard shortcuts', Icon: IconKeyboard, run: () => openDialog({ name: 'shortcuts' }) },
    { label: 'Light appearance', Icon: IconSun, run: () => setColorScheme('light') },
    { label: 'Dark appearance', Icon: IconMoon, run: () => setColorScheme('dark') },
    { label: 'Sign out', Icon: IconLogout, run: () => void signOut(() => navigate('/')) },
  ]
    .map((a): Choice => ({ key: a.label, ...a }))
    .filter((c) => allWords(query, c.label))
  const groups = [
    { label: 'Screens', choices: screens },
    { label: 'Actions', choices: actions },
    ...records,
    // The last, and only when those above are there.
    { label: 'Clients', choices: found.searching ? [] : clients },
  ].filter((g) => g.choices.length > 0)
  return { groups, searching: found.searching || toEnter.busy }
}
