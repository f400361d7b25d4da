import { Anchor } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { type ReactNode, use } from 'react'
import { Link } from 'react-router'
import css from './page.module.css'
import { RecordPagerContext } from './page-sign.ts'
import { PageTitle } from './page-title.tsx'

interface Props {
  readonly title: ReactNode
  /** Chips, dates and links that belong to the title. */
  readonly beside?: ReactNode
  /** Actions that concern the entire page, at the end of the header. */
  readonly actions?: ReactNode
  /** A sentence or two on the purpose of the page. */
  readonly about?: ReactNode
  /** The back link: an address, or a function that closes what is open on this page. */
  readonly back?:
    | { readonly label: string; readonly to: string }
    | { readonly label: string; readonly onBack: () => void }
  readonly children?: ReactNode
}

/** A screen: its heading with its actions, and its sections one below the other. */
export function Page({ title, beside, actions, about, back, children }: Props) {
  return (
    <div className={css.page}>
      {back && <BackLink {...back} />}
      <header className={css.head}>
        <div className={css.names}>
          <PageTitle>{title}</PageTitle>
          {beside}
        </div>
        {actions && <div className={css.buttons}>{actions}</div>}
      </header>
      {about && <p className={css.about}>{about}</p>}
      {children}
    </div>
  )
}

/** The line above a record's heading. */
export function BackLink(props: NonNullable<Props['back']>) {
  const beside = use(RecordPagerContext)
  const words = (
    <>
      <IconArrowLeft size={16} aria-hidden /> {props.label}
    </>
  )
  return (
    <div className={css.wayBack}>
      {'to' in props ? (
        <Anchor component={Link} to={props.to} size="sm" className={css.back ?? ''}>
          {words}
        </Anchor>
      ) : (
        <Anchor component="button" type="button" size="sm" className={css.back ?? ''} onClick={props.onBack}>
          {words}
        </Anchor>
      )}
      {beside}
    </div>
  )
}
