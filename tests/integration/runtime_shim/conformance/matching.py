"""Whether the events of a run are the ones that a program's comments expect."""

from expectations import Repeat


def number(text):
    try:
        return int(text, 0)
    except (TypeError, ValueError):
        return text


class Matcher:
    """Matches scripts against threads. `at(value, label)` says whether a code address lies on a line with that label."""

    def __init__(self, at):
        self.at = at
        self.deepest = None  # (events matched, pattern, event, why)

    def field(self, pattern, value, environment):
        """(matches, environment afterwards)"""
        if pattern == "*":
            return value is not None, environment
        if pattern.startswith("$"):
            if value is None:
                return False, environment
            if pattern in environment:
                return environment[pattern] == value, environment
            return True, {**environment, pattern: value}
        for alternative in pattern.split("|"):
            if alternative.startswith("@"):
                if value is not None and self.at(value, alternative[1:]):
                    return True, environment
            elif value == alternative or (value is not None and number(value) == number(alternative)):
                return True, environment
        return False, environment

    def event(self, pattern, event, environment):
        """The environment afterwards, or None and the reason."""
        if event is None:
            return None, "no more events"
        if event["event"] != pattern.event:
            return None, f"the event is {event['event']}"
        for name, comparison, value in pattern.fields:
            before = environment
            matches, environment = self.field(value, event.get(name), environment)
            if matches != (comparison == "="):
                known = f" (={before[value]})" if value in before else ""
                return None, f"{name}={event.get(name)}, wanted {name}{comparison}{value}{known}"
            if comparison == "!=":
                environment = before
        if pattern.condition is not None:
            names = {key: number(value) for key, value in event.items()}
            names.update({key[1:]: number(value) for key, value in environment.items()})
            try:
                if not eval(pattern.condition, {"__builtins__": {}}, names):  # the program's own comment
                    return None, f"the condition is false with {names}"
            except Exception as error:  # pylint: disable=broad-except
                return None, f"the condition cannot be computed: {error}"
        return environment, None

    def _note(self, index, pattern, event, why):
        if self.deepest is None or index >= self.deepest[0]:
            self.deepest = (index, pattern, event, why)

    def script(self, items, events, environment):
        """Every environment with which ITEMS match all of EVENTS: a generator. Depth first, with a stack of our own."""
        flat = flatten(items)
        stack = [(0, 0, environment, frozenset(), False)]
        while stack:
            i, e, env, done, again = stack.pop()
            event = events[e] if e < len(events) else None
            if i == len(flat):
                if event is None:
                    yield env
                else:
                    self._note(e, None, event, "nothing more was expected")
                continue
            item, scope = flat[i]
            if item == "scope":
                # At the end of one turn of a repeat its variables are forgotten.
                kept = {key: value for key, value in env.items() if key not in scope}
                stack.append((i + 1, e, kept, frozenset(), False))
                continue
            if item.quantity == "~":
                group = i
                while group < len(flat) and flat[group][0] != "scope" and flat[group][0].quantity == "~":
                    group += 1
                left = [k for k in range(i, group) if k not in done]
                if not left:
                    stack.append((group, e, env, frozenset(), False))
                for k in reversed(left):
                    after, why = self.event(flat[k][0], event, env)
                    if after is None:
                        self._note(e, flat[k][0], event, why)
                    else:
                        stack.append((i, e + 1, after, done | {k}, False))
                continue
            # The order of the pushes: the first try is pushed last.
            if item.quantity in "?*" or (item.quantity == "+" and again):
                stack.append((i + 1, e, env, frozenset(), False))
            after, why = self.event(item, event, env)
            if after is None:
                self._note(e, item, event, why)
                continue
            if item.quantity in "*+":
                # A repeated pattern binds its variables anew each time.
                stack.append((i, e + 1, env, frozenset(), True))
            else:
                stack.append((i + 1, e + 1, after, frozenset(), False))


def flatten(items):
    flat = []
    for item in items:
        if isinstance(item, Repeat):
            inner = flatten(item.items)
            bound = {
                pattern
                for entry, _ in inner
                if entry != "scope"
                for _, _, value in entry.fields
                for pattern in [value]
                if pattern.startswith("$")
            }
            outside = {
                value for entry, _ in flat if entry != "scope" for _, _, value in entry.fields if value.startswith("$")
            }
            for _ in range(item.count):
                flat.extend(inner)
                flat.append(("scope", bound - outside))
        else:
            flat.append((item, None))
    return flat


def match(expectations, threads, at):
    """None if THREADS (name -> list of events, of one process) match, else why not, in lines.

    Role `initial` is the first thread; a role with a star is every thread that no other role took.
    """
    wanted = (expectations.observed | {"dirty", "lost"}) - expectations.ignored
    filtered = {name: [event for event in events if event["event"] in wanted] for name, events in threads.items()}
    roles = expectations.roles
    single = [role for role in roles if not role.endswith("*") and role != "tool"]
    starred = [role for role in roles if role.endswith("*")]
    problems = []

    def describe(role, matcher):
        index, pattern, event, why = matcher.deepest or (0, None, None, "no thread for it")
        lines = [f"role {role}: {why}"]
        lines.append(f"  expected: {pattern if pattern is not None else 'the end'}")
        lines.append(f"  event {index + 1}: {show(event) if event else 'the end'}")
        return lines

    def assign(i, environment, taken):
        if i == len(single):
            left = [name for name in filtered if name not in taken]
            if starred and not left:
                problems.append((len(taken), [f"role {starred[0]}: no thread is left for it"]))
                return False
            for name in left:
                if not starred:
                    if filtered[name] and expectations.others != "ignored":
                        problems.append((len(taken), [f"thread {name} has no role: {show(filtered[name][0])}"]))
                        return False
                    continue
                for role in starred:
                    matcher = Matcher(at)
                    if next(matcher.script(roles[role], filtered[name], environment), None) is not None:
                        break
                    problems.append((len(taken), describe(f"{role} (thread {name})", matcher)))
                else:
                    return False
            return True
        role = single[i]
        candidates = [name for name in filtered if name not in taken]
        if role == "initial":
            candidates = [name for name in candidates if name == min(filtered)]
        for name in candidates:
            matcher = Matcher(at)
            for after in matcher.script(roles[role], filtered[name], environment):
                if assign(i + 1, after, taken | {name}):
                    return True
            else:
                problems.append((len(taken), describe(f"{role} (thread {name})", matcher)))
        if not candidates:
            problems.append((len(taken), [f"role {role}: no thread is left for it"]))
        return False

    if assign(0, {}, frozenset()):
        return None
    deepest = max((depth for depth, _ in problems), default=0)
    return [line for depth, lines in problems if depth == deepest for line in lines] or ["no assignment of roles"]


def show(event):
    return " ".join(f"{key}={value}" for key, value in event.items() if key not in ("thread",))
