import encodeQR from 'qr'

interface QrCodeProps {
  readonly text: string
  readonly label: string
}

/** QR code with the margin that cameras need; always dark on light. */
export function QrCode({ text, label }: QrCodeProps) {
  const squares = encodeQR(text, 'raw', { ecc: 'medium', border: 4 })
  const dark = squares.flatMap((row, y) => row.flatMap((on, x) => (on ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg
      viewBox={`0 0 ${squares.length} ${squares.length}`}
      width={220}
      height={220}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width="100%" height="100%" fill="#fff" />
      <path d={dark.join('')} fill="#000" />
    </svg>
  )
}
