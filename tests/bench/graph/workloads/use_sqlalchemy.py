"""What a program does with SQLAlchemy: a core and an ORM session over SQLite in memory."""

from datetime import UTC, datetime

from sqlalchemy import (
    JSON,
    Column,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    bindparam,
    case,
    create_engine,
    delete,
    event,
    exc,
    func,
    insert,
    inspect,
    select,
    text,
    update,
)
from sqlalchemy.orm import (
    DeclarativeBase,
    Mapped,
    Session,
    aliased,
    joinedload,
    mapped_column,
    relationship,
    selectinload,
)


def core() -> None:
    """Tables, statements and transactions."""
    engine = create_engine("sqlite://")
    metadata = MetaData()
    items = Table(
        "items",
        metadata,
        Column("id", Integer, primary_key=True),
        Column("name", String(30), nullable=False, index=True),
        Column("more", JSON),
    )
    metadata.create_all(engine)
    seen: list[str] = []
    event.listen(engine, "before_cursor_execute", lambda *args: seen.append(args[2]))
    with engine.begin() as connection:
        connection.execute(insert(items), [{"name": "a"}, {"name": "b", "more": {"x": 1}}])
        connection.execute(update(items).where(items.c.name == "a").values(name="c"))
        label = case((items.c.name == "c", "see"), else_="other").label("label")
        count = func.count(items.c.id)
        statement = select(items.c.name, label, count).group_by(items.c.name).order_by(count.desc())
        connection.execute(statement.where(items.c.name.in_(["b", "c"])).limit(5)).all()
        connection.execute(text("select :x"), {"x": 1}).scalar_one()
        bound = select(items).where(items.c.id == bindparam("which"))
        connection.execute(bound, {"which": 1}).mappings().first()
        connection.execute(delete(items).where(items.c.id > 1))
    inspect(engine).get_columns("items")
    MetaData().reflect(engine)
    try:
        with engine.connect() as connection:
            connection.execute(text("select * from nowhere"))
    except exc.OperationalError:
        pass
    metadata.drop_all(engine)


def orm() -> None:
    """Mapped classes, relationships, loading and unit of work."""

    class Base(DeclarativeBase):
        pass

    class User(Base):
        __tablename__ = "user"
        id: Mapped[int] = mapped_column(primary_key=True)
        name: Mapped[str] = mapped_column(String(30))
        made: Mapped[datetime] = mapped_column(default=lambda: datetime(2020, 1, 1, tzinfo=UTC))
        posts: Mapped[list["Post"]] = relationship(
            back_populates="user", cascade="all, delete-orphan"
        )

    class Post(Base):
        __tablename__ = "post"
        id: Mapped[int] = mapped_column(primary_key=True)
        title: Mapped[str]
        user_id: Mapped[int] = mapped_column(ForeignKey("user.id"))
        user: Mapped[User] = relationship(back_populates="posts")

    engine = create_engine("sqlite://")
    Base.metadata.create_all(engine)
    with Session(engine) as session:
        session.add_all([User(name="ann", posts=[Post(title="one"), Post(title="two")])])
        session.flush()
        session.commit()
        user = session.scalars(select(User).options(selectinload(User.posts))).one()
        user.posts.append(Post(title="three"))
        user.name = "anna"
        session.commit()
        other = aliased(User)
        joined = select(Post).join(Post.user).join(other, other.id == Post.user_id)
        session.scalars(joined.options(joinedload(Post.user)).order_by(Post.title)).unique().all()
        session.query(User).filter(User.name.like("a%")).filter_by(id=1).count()
        session.get(User, 1)
        session.execute(update(Post).where(Post.title == "one").values(title="first"))
        session.refresh(user)
        session.delete(user.posts[0])
        session.rollback()
        session.delete(user)
        session.commit()


def run() -> None:
    """Both layers."""
    core()
    orm()
