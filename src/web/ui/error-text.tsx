import { Text, type TextProps } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'

interface Props extends TextProps {
  readonly id?: string
  readonly children: ReactNode
}

/** Problem with the adjacent element. Screen readers announce it as soon as it appears. */
export const ErrorText = (props: Props) => <Text role="alert" size="sm" c="var(--mantine-color-error)" {...props} />

/** Space for the buttons at the foot of a dialog. */
const MARGIN = '6rem'

/** Reason why an entire form was rejected. The text scrolls into view. */
export function FormErrorText({ children, ...props }: Props) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (children) ref.current?.scrollIntoView({ block: 'nearest' })
  }, [children])
  return (
    <div ref={ref} style={{ scrollMarginBlockEnd: MARGIN }}>
      <ErrorText {...props}>{children}</ErrorText>
    </div>
  )
}
