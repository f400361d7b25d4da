import type { Me } from '../../api/session.ts'
import { lazily } from '../../ui/lazily.tsx'
import { initials } from '../../ui/people/avatar.tsx'
import { TopPopover } from '../../ui/top-popover.tsx'
import css from './me-menu.module.css'

const MeChoices = lazily(() => import('./me-choices.tsx'))

/** Me: who I am here, how the portal looks, and the way out. */
export const MeMenu = ({ me }: { me: Me }) => (
  <TopPopover
    id="me-menu"
    label={`Me: ${me.name}`}
    face={<span className={css.me} aria-hidden="true" data-initials={initials(me.name)} />}
  >
    {(close) => <MeChoices me={me} close={close} />}
  </TopPopover>
)
