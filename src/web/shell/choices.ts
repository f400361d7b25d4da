import { useMantineColorScheme } from '@mantine/core'
import { type Icon, IconBriefcase, IconKeyboard, IconLogout, IconMoon, IconPhone, IconSun } from '@tabler/icons-react'
import { useNavigate } from 'react-router'
import { holds } from '#kernel/roles.ts'
import { openDialog, workAs } from './dialogs.ts'
import { useFound } from './found.ts'
import { iconOf } from './icons.ts'
import { useActor } from './me.ts'
import { allWords } from './page-search.ts'
import { signOut } from './signing.ts'
import { usePages } from './Top.tsx'

/** Something that the palette offers. */
export interface Choice {
  readonly key: string
  readonly label: string
  readonly detail?: string
  readonly Icon: Icon
  readonly run: () => void
}

const joined = (...parts: (string | null | undefined)[]) => parts.filter(Boolean).join(', ')

/** What fits the query: records found on the server, then screens, then actions. */
export function useChoices(query: string, asked: string, may: { leads: boolean; clients: boolean }) {
  const navigate = useNavigate()
  const actor = useActor()
  const { setColorScheme } = useMantineColorScheme()
  const found = useFound(asked, may)
  const leads = found.leads.map(
    (l): Choice => ({
      key: `lead ${l.id}`,
      label: l.companyName || l.name || `Lead ${l.id}`,
      detail: joined(l.companyName ? l.name : null, l.phone, l.city),
      Icon: IconPhone,
      run: () => void navigate(`/crm/contact/view/${l.id}`),
    }),
  )
  const clients = found.clients.map(
    (c): Choice => ({
      key: `client ${c.id}`,
      label: `Work as ${c.company}`,
      detail: joined(c.city, c.contactname),
      Icon: IconBriefcase,
      run: () => workAs({ id: c.id, company: c.company }),
    }),
  )
  const screens = usePages()
    .filter(
      (p) =>
        p.load && (!p.open || p.nav) && !p.path.includes(':') && p.path !== '*' && holds(actor, p.allow ?? 'member'),
    )
    .map(
      (p): Choice => ({
        key: p.path,
        label: p.nav?.label ?? p.title,
        detail: p.nav?.area ?? '',
        Icon: iconOf(p.nav?.icon ?? 'point'),
        run: () => void navigate(p.path),
      }),
    )
    .filter((c) => allWords(query, `${c.label} ${c.detail}`))
  const actions = [
    ...(may.clients ? [{ label: 'Work as a client…', Icon: IconBriefcase, run: () => workAs() }] : []),
    { label: 'Keyboard shortcuts', Icon: IconKeyboard, run: () => openDialog({ name: 'shortcuts' }) },
    { label: 'Light appearance', Icon: IconSun, run: () => setColorScheme('light') },
    { label: 'Dark appearance', Icon: IconMoon, run: () => setColorScheme('dark') },
    { label: 'Sign out', Icon: IconLogout, run: () => void signOut(() => navigate('/')) },
  ]
    .map((a): Choice => ({ key: a.label, ...a }))
    .filter((c) => allWords(query, c.label))
  const groups = [
    { label: 'Leads', choices: leads },
    { label: 'Clients', choices: clients },
    { label: 'Screens', choices: screens },
    { label: 'Actions', choices: actions },
  ].filter((g) => g.choices.length > 0)
  return { groups, searching: found.searching }
}
