/** The dots of a handle by which a row is dragged. */

const DOTS = [6, 10].flatMap((x) => [4, 8, 12].map((y) => ({ x, y })))

export const Grip = () => (
  <svg className="i" viewBox="0 0 16 16" aria-hidden="true">
    <g fill="currentColor" stroke="none">
      {DOTS.map(({ x, y }) => (
        <circle key={`${x} ${y}`} cx={x} cy={y} r="1.1" />
      ))}
    </g>
  </svg>
)
