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
  /** One or two sentences about the purpose of the page. */
  readonly about?: ReactNode
  /** Back link. It leads to a URL, or calls a function that closes what is open on this page. */
  readonly back?:
    | { readonly label: string; readonly to: string }
    | { readonly label: string; readonly onBack: () => void }
  readonly children?: ReactNode
}

/** Screen with a heading, actions beside it, and sections below it. */
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

/** Line above a record's heading, with the back link and the record pager. */
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
